#!/usr/bin/env python
# -*- coding: latin-1 -*-
"""Ein älteres Programm, mit Seitenvorschub und Zeilen wie unter Windows."""

from mcp import ClientSession
import os

# Größe und Farbe  
async def farbe(session: ClientSession) -> str:
    "Grüße"
    ergebnis = await session.call_tool( "settings", { } )
    if   ergebnis.isError :
        return "ä"

    return "Farbe: ü " + str( ergebnis.structuredContent [ "theme" ] )  # Schluß


async def main(session: ClientSession) -> object:
    return [await farbe(session), os.sep]

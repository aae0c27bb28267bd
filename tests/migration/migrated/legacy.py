#!/usr/bin/env python
# -*- coding: latin-1 -*-
"""Ein älteres Programm, mit Seitenvorschub und Zeilen wie unter Windows."""

from mcp import ClientSession
import os
from typedtool import expect_object

# Größe und Farbe  
async def farbe(session: ClientSession) -> str:
    "Grüße"
    ergebnis = await session.call_tool( "settings", { } )
    if   ergebnis.is_error :
        return "ä"

    return "Farbe: ü " + str( expect_object(ergebnis) [ "theme" ] )  # Schluß


async def main(session: ClientSession) -> object:
    return [await farbe(session), os.sep]

"""Run the `main` of migrated clients against a live server, with whatever SDK is installed: a JSON line a client.

python driver.py SERVER SCRIPT CLIENT...
"""

import asyncio
import importlib.util
import json
import sys
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def module_in(path):
    spec = importlib.util.spec_from_file_location(f"client_{Path(path).stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


async def run(server, script, path):
    parameters = StdioServerParameters(command=sys.executable, args=[server, script])
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        return await module_in(path).main(session)


async def main(server, script, *paths):
    for path in paths:
        print(json.dumps({Path(path).stem: await run(server, script, path)}), flush=True)


asyncio.run(main(*sys.argv[1:]))

"""OpenEnv's wire protocol, version 0.10, on our own instances: HTTP, WebSocket and MCP.

A session is an instance and its id is the session's. Nothing of the `openenv` package is used: its server
makes a fresh environment for each HTTP request and keeps a thread for each session.
"""

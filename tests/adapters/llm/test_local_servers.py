"""Model servers on this machine are found by what they list; anything else that listens there is passed over."""

from aiohttp import web
from aiohttp.test_utils import TestServer

from adapters.llm.local_servers import LocalServer, found_servers

_MODELS = {"object": "list", "data": [{"id": "llama-9", "object": "model"}, {"id": "nomic-embed-text"}]}


async def test_a_server_that_lists_models_is_found_and_nothing_else() -> None:
    answers = {
        "ours": web.json_response(_MODELS),
        "empty": web.json_response({"object": "list", "data": None}),
        "refuses": web.json_response({"detail": "Not authenticated"}, status=401),
        "another": web.Response(text="<html>", content_type="text/html"),
        "list": web.json_response([1, 2]),
        "away": web.HTTPFound("http://example.org/"),
    }

    async def models(request: web.Request) -> web.StreamResponse:
        return answers[request.match_info["name"]]

    application = web.Application()
    application.router.add_get("/{name}/models", models)
    async with TestServer(application) as server:
        addresses = {name: str(server.make_url(f"/{name}")) for name in answers}
        found = await found_servers(addresses | {"nobody": "http://127.0.0.1:1/v1"})
    assert found == [LocalServer(name="ours", base_url=addresses["ours"], models=("llama-9", "nomic-embed-text"))]

"""The peer of benchmarks/agent_cost.py: LangGraph's prebuilt agent with one search tool, as its documentation has it.

`create_react_agent` moved to `langchain.agents.create_agent` in LangGraph 1.0; it is the same loop. The reader's page
is in the run's configuration, which the tool is given and the model does not see.
"""

import warnings
from collections.abc import Awaitable, Callable

from langchain_chroma import Chroma
from langchain_core.messages import SystemMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent

from core.domain.book import Book

_TOP_K = 5
_SYSTEM = (
    'You are a member of a book club that reads "{title}". The readers have read up to page {page}. Answer questions '
    "about the book from the passages that search_book returns and from nothing else; search before you answer, and "
    "search again with other words if it does not help. Cite the pages as (p. 12). Never tell what happens after page "
    "{page}; if the passages do not answer the question, say so in one sentence. Be short and warm."
)

AskPeer = Callable[[str, int, str], Awaitable[str]]
"""Question, page, thread: the answer."""


def peer_agent(store: Chroma, book: Book, *, model: str, base_url: str, api_key: str) -> AskPeer:
    """Return a way to ask the agent over the chunks in `store`; threads are kept in memory."""

    def search_book(query: str, config: RunnableConfig) -> str:
        """Search the pages read so far for passages about something.

        Args:
            query: what to look for: names, places, things or events, in a few words.
        """
        bound = {"end_page": {"$lte": config["configurable"]["page"]}}
        found = store.similarity_search(query, k=_TOP_K, filter=bound)
        return "\n\n".join(
            f"[Pages {each.metadata['start_page']}-{each.metadata['end_page']}]\n{each.page_content}" for each in found
        )

    def prompt(state: dict[str, list[object]], config: RunnableConfig) -> list[object]:
        system = _SYSTEM.format(title=book.title, page=config["configurable"]["page"])
        return [SystemMessage(system), *state["messages"]]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        agent = create_react_agent(
            ChatOpenAI(model=model, base_url=base_url, api_key=api_key),
            [tool(search_book)],
            prompt=prompt,
            checkpointer=InMemorySaver(),
        )

    async def ask(question: str, page: int, thread: str) -> str:
        said = {"messages": [{"role": "user", "content": question}]}
        state = await agent.ainvoke(said, {"configurable": {"thread_id": thread, "page": page}})
        return str(state["messages"][-1].content)

    return ask

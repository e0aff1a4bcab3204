"""The nearest come in the same order as in a full sort, although only they are sorted."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from adapters.retrieval.exact_index import nearest_first


@given(cosines=st.lists(st.sampled_from([-0.5, 0.0, 0.25, 0.5, 1.0]), max_size=40), limit=st.integers(1, 50))
def test_the_nearest_come_first_and_ties_keep_their_order(cosines: Sequence[float], limit: int) -> None:
    rows = nearest_first(np.array(cosines, dtype=np.float32), limit)
    assert rows.tolist() == sorted(range(len(cosines)), key=lambda row: -cosines[row])[:limit]

"""Warning members in private when their own posts are spoilers."""

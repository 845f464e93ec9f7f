"""Bridges to other packages, which are imported only here: mapclassify, geopandas, AnnData."""

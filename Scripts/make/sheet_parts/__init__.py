"""Parts of Scripts/make/sheets and Scripts/compare/mapnik."""

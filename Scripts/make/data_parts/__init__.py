"""Parts of Scripts/make/data."""

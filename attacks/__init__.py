"""Campaigns that try to break rankone: each makes one random case from a seed."""

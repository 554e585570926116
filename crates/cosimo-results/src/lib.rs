//! Recording and presenting a run: tables, events, summary and plot.

"""What other people's pages show of a game: pictures, previews of links, and frames."""

from graph_memory.cli import main

if __name__ == "__main__":
    main()

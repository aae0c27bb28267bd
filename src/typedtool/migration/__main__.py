from typedtool.migration.command import main

raise SystemExit(main())

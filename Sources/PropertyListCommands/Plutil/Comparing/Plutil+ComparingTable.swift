internal import CommandLineInterface

extension Plutil {
  /// The verbs that compare and merge files.
  static let comparingVerbs: [CommandLineTool.Verb] = [
    .init(
      "-diff",
      summary:
        "Compare two files by key path, whatever their formats, or the files in two folders",
      details: [
        """
        A line that begins with - is a value that only the first file has at a key path; a line that \
        begins with + is one that only the second has. Containers are printed value by value. The \
        order of keys does not matter. Elements of arrays are matched where they are equal, so that \
        insertions and removals are shown as such; the indices are those of the line's file. The \
        key path of an element of a set ends in *.
        """,
        """
        Of two folders, the property lists with the same path are compared, and those that only one of \
        them has are named. A file and a folder are compared by the file of that name in the folder. \
        /dev/null is a file without values.
        """,
        """
        With --json each change is an object with keyPath, old and new, in the order in which -patch makes \
        them: a value without old is inserted, and one without new is removed. An insertion into an \
        array also has count, the number of elements before it. Values are written as by -convert json \
        --typed. Of folders, each object begins with file, and a file that only one of them has \
        is an object with file and onlyIn.
        """,
        folderDetails,
        """
        The exit status is 0 if the files hold the same values, 1 if they differ, and 2 on failure.
        """,
      ],
      options: [Option.silent, Option.label, Option.json, Option.allFiles],
      operands: .init("file", count: 2...2, arguments: filesAndFolders.arguments),
      examples: [
        .init("plutil -diff old.plist new.plist", "Print what has changed"),
        .init(
          "plutil -diff --json old.plist new.plist > changes.jsonl",
          "Save the changes for -patch or another program"),
        .init("plutil -diff Old.app New.app", "Compare the property lists in two folders"),
      ],
      usageStatus: troubleStatus, action: compare),
    .init(
      "-textconv", summary: "Print a file as text, for git diff",
      details: [
        """
        The first line has the format and the encoding. A text follows as it is, in UTF-8, so that comments and \
        layout can be compared as well. A binary property list is printed as XML, or as JSON with \
        --typed if XML has no type for one of its values. A file that is not a property list is printed as it is.
        """
      ], operands: .init("file", count: 1...1, arguments: [file]),
      examples: [
        .init("plutil -textconv Info.plist", "Print a file as git diff compares it"),
        .init(
          "git config --global diff.plist.textconv 'plutil -textconv --'",
          "Let git compare files with the attribute diff=plist"),
      ], action: convertToText),
    .init(
      "-patch",
      arguments: [
        .init(
          "changes", summary: "What -diff --json has printed, or - for standard input",
          completion: .files)
      ],
      summary: "Make the changes that -diff --json has printed in another file",
      details: [
        """
        The changes are made in their order, all of them or, if there are conflicts, none. A change that \
        the file already has is skipped. It is a conflict if the value to change or remove is another one, if an \
        inserted key exists, or if an array into which an element is inserted has another number of \
        elements. Each conflict is printed with its key path.
        """, textDetails,
        """
        The exit status is 0 on success, 1 if there are conflicts, and 2 on failure.
        """,
      ],
      options: placing + editing, operands: .init("file", count: 1...1, arguments: [file]),
      examples: [
        .init("plutil -patch changes.jsonl Info.plist", "Make the changes in another file"),
        .init(
          "plutil -diff --json old.plist new.plist | plutil -patch - other.plist",
          "Change a file as another was changed"),
      ], usageStatus: troubleStatus, action: patch),
    .init(
      "-merge", summary: "Three-way merge: apply another version's changes to a file",
      details: [
        """
        The files are the common ancestor, our version, and their version. What one of them has changed \
        since the ancestor is taken: dictionaries are merged by key, arrays by their changed elements, sets \
        by their elements. Our version is replaced by the result unless -o is given. An empty file as the \
        ancestor means that there is none.
        """,
        """
        A value that both have changed differently is a conflict. In a text format, the lines of both \
        versions are left between conflict markers. In binary, a list of the conflicts with both versions' \
        values is left between conflict markers, followed by the result with our values. Neither can be \
        read as a property list before the conflict is resolved, for example with --ours or \
        --theirs. Keyed archives are not mixed: what both have changed is one conflict.
        """,
        """
        A file that cannot be merged, because one of the versions is damaged or has a key twice, is left as \
        both versions between conflict markers. A result without conflicts is read again before it \
        is written. The text of our version is kept, as by -insert and -replace, and gets the lines \
        and comments that only the other has changed. --reformat writes the result as -convert does.
        """,
        """
        The exit status is 0 for a clean merge, 1 for conflicts, and 2 on failure, as git expects it of a \
        merge driver.
        """,
      ],
      options: [
        Option.takeOurs, Option.takeTheirs, Option.label, Option.silent, Option.output,
        Option.reformat,
      ],
      operands: .init("file", count: 3...3, arguments: [file]),
      examples: [
        .init("plutil -merge base.plist ours.plist theirs.plist", "Merge into ours.plist"),
        .init("plutil -merge -o - base.plist ours.plist theirs.plist", "Print the merged file"),
        .init(
          "git config --global merge.plist.driver 'plutil -merge --label %P %O %A %B'",
          "Let git merge files with the attribute merge=plist"),
      ], usageStatus: troubleStatus, action: merge),
  ]
}

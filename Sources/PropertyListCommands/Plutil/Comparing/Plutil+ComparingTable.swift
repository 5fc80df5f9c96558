internal import CommandLineInterface

extension Plutil {
  static let comparingVerbs: [CommandLineTool.Verb] = [
    .init(
      "-diff", options: [.silent, .label, .json, .allFiles],
      operands: .init("file", count: 2...2, arguments: filesAndFolders.arguments),
      usageStatus: troubleStatus,
      """
      Compare two files by key path, whatever their formats, or the files in two folders
      A line that begins with - is a value that only the first file has at a key path; a line that begins with \
      + is a value that only the second has. Containers are printed value by value. The order of keys does not \
      matter. Equal elements of arrays are matched, so that insertions and removals are shown as such. Indices \
      refer to the file of the line. The key path of an element of a set ends in *.
      In two folders, property lists with the same path are compared, and property lists that only one folder \
      has are listed. A file is compared with the file of the same name in a folder. /dev/null is a file \
      without values.
      With --json each change is an object with keyPath, old and new, in the order in which -patch makes them: \
      a value without old is inserted, and one without new is removed. An insertion into an array also has \
      count, the number of elements before it. Values are written as by -convert json --typed. For folders, \
      each object begins with file, and a file that only one of them has is an object with file and onlyIn.
      \(folderDetails)
      The exit status is 0 if the files have the same values, 1 if they differ, and 2 on failure.
      $ plutil -diff old.plist new.plist  # Print what has changed
      $ plutil -diff --json old.plist new.plist > changes.jsonl  # Save the changes for -patch or another \
      program
      $ plutil -diff Old.app New.app  # Compare the property lists in two folders
      """, action: compare),
    .init(
      "-textconv", operands: .init("file", count: 1...1, arguments: [file]),
      """
      Print a file as text, for git diff
      The first line has the format and the encoding. A text file follows unchanged, in UTF-8, so that \
      comments and layout can also be compared. A binary property list is printed as XML, or as JSON with \
      --typed if XML has no type for one of its values. A file that is not a property list is printed \
      unchanged.
      $ plutil -textconv Info.plist  # Print a file as git diff compares it
      $ git config --global diff.plist.textconv 'plutil -textconv --'  # Let git compare files with the \
      attribute diff=plist
      """, action: convertToText),
    .init(
      "-patch",
      arguments: [
        .init(
          "changes", "What -diff --json has printed, or - for standard input", completion: .files)
      ], options: placing + editing, operands: .init("file", count: 1...1, arguments: [file]),
      usageStatus: troubleStatus,
      """
      Apply the changes that -diff --json has printed to another file
      The changes are made in order: all of them or, if there are conflicts, none. A change that the file \
      already has is skipped. It is a conflict if the value to change or remove differs, if an inserted key \
      exists, or if an array into which an element is inserted has a different number of elements. Each \
      conflict is printed with its key path.
      \(textDetails)
      The exit status is 0 on success, 1 if there are conflicts, and 2 on failure.
      $ plutil -patch changes.jsonl Info.plist  # Make the changes in another file
      $ plutil -diff --json old.plist new.plist | plutil -patch - other.plist  # Change a file as another was \
      changed
      """, action: patch),
    .init(
      "-merge",
      options: [
        .takeOurs, .takeTheirs, .label, .silent, .output,
        .reformat,
      ], operands: .init("file", count: 3...3, arguments: [file]), usageStatus: troubleStatus,
      """
      Three-way merge: apply another version's changes to a file
      The files are the common ancestor, our version, and their version. Changes that one of them has made \
      since the ancestor are applied: dictionaries are merged by key, arrays by their changed elements, sets \
      by their elements. Our version is replaced by the result unless -o is given. An empty file as the \
      ancestor means that there is none.
      A value that both have changed differently is a conflict. In a text format, the lines of both versions \
      are left between conflict markers. In binary, a list of the conflicts with both versions' values is left \
      between conflict markers, followed by the result with our values. Neither can be read as a property list \
      before the conflict is resolved, for example with --ours or --theirs. Keyed archives are not mixed: an \
      archive that both have changed is one conflict.
      A file that cannot be merged, because one of the versions is damaged or has a key twice, is left as both \
      versions between conflict markers. A result without conflicts is read again before it is written. The \
      text of our version is kept, as by -insert and -replace, and gets the lines and comments that only the \
      other version has changed. --reformat writes the result as -convert does.
      The exit status is 0 for a clean merge, 1 for conflicts, and 2 on failure, as git expects of a merge \
      driver.
      $ plutil -merge base.plist ours.plist theirs.plist  # Merge into ours.plist
      $ plutil -merge -o - base.plist ours.plist theirs.plist  # Print the merged file
      $ git config --global merge.plist.driver 'plutil -merge --label %P %O %A %B'  # Let git merge files with \
      the attribute merge=plist
      """, action: merge),
  ]
}

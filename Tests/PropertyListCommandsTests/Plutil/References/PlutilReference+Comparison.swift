extension PlutilReference {
  /// Command lines that succeed, without a difference from the toolchain's plutil.
  static let agreed: [PlutilReference] =
    [
      "-lint mixed.plist strings.bin", "mixed.plist", "-s mixed.plist", "-p strings.plist",
      "-p mixed.bin", "-p numbers.bin", "-p booleans.plist", "-p text.plist", "-p empty.plist",
      "-convert xml1 -o - empty.plist", "-convert xml1 -o - booleans.bin",
      "-convert json -o - screensaver.plist", "-convert json -o - array.plist",
      "-convert json -r -o - strings.plist", "-convert json -r -o - empty.plist",
      "-convert json -e json array.plist", "-convert swift -o - screensaver.plist",
      "-convert swift array.plist", "-convert swift -o - numbers.plist",
      "-convert swift -o - booleans.plist", "-convert swift -o x.swift array.plist",
      "-extract count raw mixed.plist", "-extract data raw mixed.plist",
      "-extract list raw mixed.plist", "-extract list.1 raw mixed.plist",
      "-extract list.0 raw mixed.plist", #"-extract list.0.a\.b raw mixed.plist"#,
      "-extract ratio raw mixed.plist", "-extract when raw mixed.plist",
      "-extract nested raw strings.plist", "-extract A raw -n strings.plist",
      "-extract B raw -o out strings.plist", "-extract B raw -expect string strings.plist",
      "-extract on raw booleans.plist", "-extract 0 raw array.plist",
      "-extract nested xml1 -o - strings.plist", "-extract A json -o - strings.plist",
      "-extract A xml1 -o out.plist strings.plist", "-extract A swift -o - strings.plist",
      "-extract name raw data.json", "-type count mixed.plist", "-type data mixed.plist",
      "-type list mixed.bin", "-type list.0 mixed.plist", "-type list.1 mixed.plist",
      "-type ratio mixed.plist", "-type when mixed.plist", "-type B -n strings.plist",
      "-type B -expect string -o - strings.plist", "-insert new -string x empty.plist",
      "-insert new -bool YES -o - empty.plist", "-insert new -array -o - empty.plist",
      "-insert new -date 2024-01-31T23:59:59Z -o - empty.plist",
      "-insert new -data AQID -o - empty.plist", "-insert 1 -integer 7 numbers.plist",
      "-insert A -string 3 -append -o - strings.plist",
      #"-insert a\.b -float 2.5 -o - empty.plist"#,
      #"-insert new -json {"k":[1]} -o - empty.plist"#,
      "-replace tokenRemovalAction -integer 1 screensaver.plist", "-remove on booleans.plist",
      "-remove 0 array.plist", "-create xml1 -", "-create json -", "-create xml1 new.plist",
      "-create json new.json",
    ].map { Self.init($0) } + [
      Self.init("-lint -", input: "mixed.plist"),
      Self.init("-p -", input: "old.plist"),
    ]

  /// Command lines that are run with the toolchain's plutil as well.
  static let compared: [PlutilReference] = wholeFiles + keyPaths + values + created + others

  private static let wholeFiles: [PlutilReference] = files.keys.sorted().flatMap { file in
    let formats = ["xml1", "binary1", "json", "swift", "objc"]
    var references = formats.map { Self.init(words: ["-convert", $0, file]) }
    references.append(Self.init(words: ["-lint", file]))
    references.append(Self.init(words: ["-p", file]))
    references.append(Self.init(words: ["-convert", "json", "-r", "-o", "-", file]))
    references.append(Self.init(words: ["-convert", "xml1", "-o", "-", "-"], input: file))
    return references
  }

  private static let places: [(file: String, paths: [String])] = [
    ("mixed.plist", ["count", "data", "list", #"list.0.a\.b"#, "list.1", "when", "no"]),
    ("mixed.bin", ["ratio", "list.7"]), ("strings.plist", ["A.0", "nested"]),
    ("data.json", ["t", "list.2", "e"]), ("old.plist", ["b.1"]), ("reals.plist", ["2"]),
    ("empty.plist", [""]),
  ]

  private static let keyPaths: [PlutilReference] = places.flatMap { file, paths in
    paths.flatMap { path -> [PlutilReference] in
      let lines: [[String]] = [
        ["-extract", path, "raw", file], ["-extract", path, "json", "-o", "-", file],
        ["-type", path, "-n", file], ["-extract", path, "raw", "-expect", "string", file],
        ["-remove", path, file], ["-replace", path, "-string", "R", file],
        ["-insert", path, "-integer", "7", file],
      ]
      return lines.map { Self.init(words: $0) }
    }
  }

  private static let typedValues: [[String]] = [
    ["-bool", "YES"], ["-bool", "true"], ["-bool", "NO"], ["-integer", "42"], ["-integer", "-1"],
    ["-float", "2.5"], ["-string", "t"], ["-date", "2024-01-31T23:59:59Z"], ["-data", "AQID"],
    ["-xml", "<array><true/></array>"], ["-json", #"{"a":[1,"x"]}"#], ["-array"], ["-dictionary"],
  ]

  private static let values: [PlutilReference] = typedValues.flatMap { value in
    [
      Self.init(words: ["-insert", "new"] + value + ["mixed.bin"]),
      Self.init(words: ["-insert", "new"] + value + ["data.json"]),
      Self.init(words: ["-replace", "new"] + value + ["-o", "-", "empty.plist"]),
    ]
  }

  private static let created: [PlutilReference] =
    ["xml1", "binary1", "json", "swift", "objc"].flatMap { format in
      [
        Self.init(words: ["-create", format, "new", "other"]),
        Self.init(words: ["-create", format, "-"]),
      ]
    } + [Self.init(words: ["-create", "xml1", "array.bin"])]

  private static let others: [PlutilReference] =
    [
      "", "-lint", "-convert", "-convert xml1", "-convert foo text.plist", "-x text.plist",
      "-lint missing", "-convert xml1 missing", "-p missing", "-extract a raw missing", "-lint .",
      "-lint -o x text.plist", "-lint -e x text.plist", "-p -o x text.plist", "-p -s text.plist",
      "-extract count", "-remove", "-insert a", "-insert a -string", "-create xml1",
      "-lint text.plist bad.plist array.bin", "-convert xml1 array.bin numbers.bin",
      "-- text.plist", "-s text.plist", "text.plist", "-lint -- text.plist",
      "-lint text.plist -- -s",
      "-convert json -e json array.plist empty.plist", "-convert swift -e txt array.plist",
      "-convert swift taken.plist",
      "-convert objc -header strings.plist", "-convert swift -header strings.plist",
      "-extract A xml1 strings.plist",
      "-extract A foo strings.plist", "-extract A raw -expect foo strings.plist",
      "-insert list -string z -append mixed.plist", "-insert list.1 -string z mixed.plist",
      "-insert list.9 -string z mixed.plist", "-replace list.0 -string z mixed.plist",
      "-replace list -string z -append mixed.plist", "-insert x.y -string z mixed.plist",
      #"-insert a\.b -string z mixed.plist"#, "-insert new -integer five empty.plist",
      "-insert new -bool maybe empty.plist", "-convert xml1 -o out array.plist text.plist",
      "-convert xml1 -e out nothing text.plist",
    ].map { Self.init($0) } + [
      Self.init("-convert xml1 -", input: "array.bin"),
      Self.init("-convert json -", input: "array.bin"),
    ]

  /// An intended difference from the toolchain's plutil.
  struct Difference {
    /// Its heading in the manual page.
    let term: String
    /// Whether a command line may show it.
    let covers: @Sendable ([String]) -> Bool

    init(_ term: String, covers: @escaping @Sendable ([String]) -> Bool) {
      self.term = term
      self.covers = covers
    }
  }

  /// The first difference that covers a command line counts.
  static let differences: [Difference] = [
    .init("Existing files") {
      $0.contains("taken.plist") || $0 == ["-create", "xml1", "array.bin"]
    },
    .init("-extract without -o") { $0 == ["-extract", "A", "xml1", "strings.plist"] },
    .init("Several results") { $0.starts(with: ["-convert", "xml1", "-o", "out"]) },
    .init("Standard input") { $0.starts(with: ["-convert"]) && $0.count == 4 && $0[2] == "-" },
    .init("-e") { $0.contains("-e") && ($0.contains("nothing") || $0.contains("txt")) },
    .init("Formats") { $0[0] == "-create" },
    .init("-lint") { words in
      words.allSatisfy {
        [
          "-lint", "-s", "data.json", "taken.swift", "-", "text.plist", "bad.plist", "array.bin",
          "nothing", "missing",
        ].contains($0)
      }
    },
    .init("Source code in Objective-C") { $0.contains("objc") },
    .init("Source code in Swift") { $0.contains("swift") },
    .init("Reals") { $0.contains { $0.hasPrefix("reals") } },
    .init("Data in -p") { $0[0] == "-p" && $0.last == "bytes.plist" },
    .init("Strings in -p") { $0 == ["-p", "data.json"] },
    .init("Malformed values") { $0.contains("five") || $0.contains("maybe") },
    .init("Comments and layout") { $0[0] == "-remove" && $0[1] == #"list.0.a\.b"# },
    .init("-append") { $0.starts(with: ["-replace"]) && $0.contains("-append") },
    .init("-replace of an element") { words in
      words[0] == "-replace" && ["list.0", "list.1", "list.2", "A.0", "2"].contains(words[1])
    },
    .init("OpenStep") { $0.last == "old.plist" },
    .init("JSON") { $0.contains("json") },
    .init("Key paths") { $0.count > 1 && $0[1].isEmpty },
    .init("Folders") { $0 == ["-lint", "."] },
    .init("Order of words") { $0.contains("--") },
  ]
}

/// What the plutil of the Swift toolchain (6.3) does and prints, which is what Apple's does where
/// its output was published.
extension PlutilReference {
  /// An XML property list of this content.
  private static func document(_ content: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    \(content)</plist>

    """
  }

  static let successes: [PlutilReference] = [
    .init(
      "-lint mixed.plist strings.bin",
      output: """
        mixed.plist: OK
        strings.bin: OK

        """),
    .init(
      "mixed.plist", output: "mixed.plist: OK\n"),
    .init(
      "-s mixed.plist"),
    .init(
      "-lint -", input: "mixed.plist", output: "<stdin>: OK\n"),
    .init(
      "-p strings.plist",
      output: """
        {
          "_k" => "u"
          "9" => "n"
          "10" => "t"
          "A" => [
            0 => "1"
            1 => "2"
          ]
          "a9" => "y"
          "a10" => "x"
          "B" => "b"
          "nested" => {
            "y" => {
              "k" => "v"
            }
            "Z" => "z"
          }
        }

        """),
    .init(
      "-p mixed.bin",
      output: """
        {
          "count" => -5
          "data" => {length = 4, bytes = 0x10203040}
          "list" => [
            0 => {
              "a.b" => "deep"
            }
            1 => true
          ]
          "ratio" => 2.5
          "when" => 2024-01-02 03:04:05 +0000
        }

        """),
    .init(
      "-p numbers.bin",
      output: """
        [
          0 => 1
          1 => 2
          2 => 3
        ]

        """),
    .init(
      "-p booleans.plist",
      output: """
        {
          "off" => false
          "on" => true
        }

        """),
    .init(
      "-p text.plist", output: #""hello""# + "\n"),
    .init(
      "-p empty.plist",
      output: """
        {
        }

        """),
    .init(
      "-p -", input: "old.plist",
      output: """
        {
          "a" => "1"
          "b" => [
            0 => "x"
            1 => "y"
          ]
          "c d" => {
            "e" => "f"
          }
        }

        """),
    .init(
      "-convert xml1 -o - empty.plist", output: document("<dict/>\n")),
    .init(
      "-convert xml1 -o - booleans.bin",
      output: document(
        """
        <dict>
        	<key>off</key>
        	<false/>
        	<key>on</key>
        	<true/>
        </dict>

        """)),
    .init(
      "-convert json -o - screensaver.plist", output: #"{"tokenRemovalAction":0}"#),
    .init(
      "-convert json -o - array.plist", output: #"["a","b"]"#),
    .init(
      "-convert json -r -o - strings.plist",
      output: """
        {
          "_k" : "u",
          "9" : "n",
          "10" : "t",
          "A" : [
            "1",
            "2"
          ],
          "a9" : "y",
          "a10" : "x",
          "B" : "b",
          "nested" : {
            "y" : {
              "k" : "v"
            },
            "Z" : "z"
          }
        }
        """),
    .init(
      "-convert json -r -o - empty.plist",
      output: """
        {

        }
        """),
    .init(
      "-convert json -e json array.plist", written: ["array.json": #"["a","b"]"#]),
    .init(
      "-convert swift -o - screensaver.plist",
      output: """
        /// Generated from screensaver.plist
        let screensaver = [
            "tokenRemovalAction" : 0,
        ]

        """),
    .init(
      "-convert swift array.plist",
      written: [
        "array.swift": """
        /// Generated from array.plist
        let array = [
            "a",
            "b",
        ]

        """
      ]),
    .init(
      "-convert swift -o - numbers.plist",
      output: """
        /// Generated from numbers.plist
        let numbers = [
            1,
            2,
            3,
        ]

        """),
    .init(
      "-convert swift -o - booleans.plist",
      output: """
        /// Generated from booleans.plist
        let booleans = [
            "off" : false,
            "on" : true,
        ]

        """),
    .init(
      "-convert swift -o x.swift array.plist",
      written: [
        "x.swift": """
        /// Generated from array.plist
        let array = [
            "a",
            "b",
        ]

        """
      ]),
    .init(
      "-extract count raw mixed.plist", output: "-5\n"),
    .init(
      "-extract data raw mixed.plist", output: "ECAwQA==\n"),
    .init(
      "-extract list raw mixed.plist", output: "2\n"),
    .init(
      "-extract list.1 raw mixed.plist", output: "true\n"),
    .init(
      "-extract list.0 raw mixed.plist", output: "a.b\n"),
    .init(
      #"-extract list.0.a\.b raw mixed.plist"#, output: "deep\n"),
    .init(
      "-extract ratio raw mixed.plist", output: "2.500000\n"),
    .init(
      "-extract when raw mixed.plist", output: "2024-01-02T03:04:05Z\n"),
    .init(
      "-extract nested raw strings.plist",
      output: """
        y
        Z

        """),
    .init(
      "-extract A raw -n strings.plist", output: "2"),
    .init(
      "-extract B raw -o out strings.plist", written: ["out": "b"]),
    .init(
      "-extract B raw -expect string strings.plist", output: "b\n"),
    .init(
      "-extract on raw booleans.plist", output: "true\n"),
    .init(
      "-extract 0 raw array.plist", output: "a\n"),
    .init(
      "-extract nested xml1 -o - strings.plist",
      output: document(
        """
        <dict>
        	<key>Z</key>
        	<string>z</string>
        	<key>y</key>
        	<dict>
        		<key>k</key>
        		<string>v</string>
        	</dict>
        </dict>

        """)),
    .init(
      "-extract A json -o - strings.plist", output: #"["1","2"]"#),
    .init(
      "-extract A xml1 -o out.plist strings.plist",
      written: [
        "out.plist": document(
          """
          <array>
          	<string>1</string>
          	<string>2</string>
          </array>

          """)
      ]),
    .init(
      "-extract A swift -o - strings.plist",
      output: """
        /// Generated from strings.plist
        let strings = [
            "1",
            "2",
        ]

        """),
    .init(
      "-extract name raw data.json", output: "x\n"),
    .init(
      "-type count mixed.plist", output: "integer\n"),
    .init(
      "-type data mixed.plist", output: "data\n"),
    .init(
      "-type list mixed.bin", output: "array\n"),
    .init(
      "-type list.0 mixed.plist", output: "dictionary\n"),
    .init(
      "-type list.1 mixed.plist", output: "bool\n"),
    .init(
      "-type ratio mixed.plist", output: "float\n"),
    .init(
      "-type when mixed.plist", output: "date\n"),
    .init(
      "-type B -n strings.plist", output: "string"),
    .init(
      "-type B -expect string -o - strings.plist", output: "string\n"),
    .init(
      "-insert new -string x empty.plist",
      written: [
        "empty.plist": document(
          """
          <dict>
          	<key>new</key>
          	<string>x</string>
          </dict>

          """)
      ]),
    .init(
      "-insert new -bool YES -o - empty.plist",
      output: document(
        """
        <dict>
        	<key>new</key>
        	<true/>
        </dict>

        """)),
    .init(
      "-insert new -array -o - empty.plist",
      output: document(
        """
        <dict>
        	<key>new</key>
        	<array/>
        </dict>

        """)),
    .init(
      "-insert new -date 2024-01-31T23:59:59Z -o - empty.plist",
      output: document(
        """
        <dict>
        	<key>new</key>
        	<date>2024-01-31T23:59:59Z</date>
        </dict>

        """)),
    .init(
      "-insert new -data AQID -o - empty.plist",
      output: document(
        """
        <dict>
        	<key>new</key>
        	<data>
        	AQID
        	</data>
        </dict>

        """)),
    .init(
      "-insert 1 -integer 7 numbers.plist",
      written: [
        "numbers.plist": document(
          """
          <array>
          	<integer>1</integer>
          	<integer>7</integer>
          	<integer>2</integer>
          	<integer>3</integer>
          </array>

          """)
      ]),
    .init(
      "-insert A -string 3 -append -o - strings.plist",
      output: document(
        """
        <dict>
        	<key>10</key>
        	<string>t</string>
        	<key>9</key>
        	<string>n</string>
        	<key>A</key>
        	<array>
        		<string>1</string>
        		<string>2</string>
        		<string>3</string>
        	</array>
        	<key>B</key>
        	<string>b</string>
        	<key>_k</key>
        	<string>u</string>
        	<key>a10</key>
        	<string>x</string>
        	<key>a9</key>
        	<string>y</string>
        	<key>nested</key>
        	<dict>
        		<key>Z</key>
        		<string>z</string>
        		<key>y</key>
        		<dict>
        			<key>k</key>
        			<string>v</string>
        		</dict>
        	</dict>
        </dict>

        """)),
    .init(
      #"-insert a\.b -float 2.5 -o - empty.plist"#,
      output: document(
        """
        <dict>
        	<key>a.b</key>
        	<real>2.5</real>
        </dict>

        """)),
    .init(
      #"-insert new -json {"k":[1]} -o - empty.plist"#,
      output: document(
        """
        <dict>
        	<key>new</key>
        	<dict>
        		<key>k</key>
        		<array>
        			<integer>1</integer>
        		</array>
        	</dict>
        </dict>

        """)),
    .init(
      "-replace tokenRemovalAction -integer 1 screensaver.plist",
      written: [
        "screensaver.plist": document(
          """
          <dict>
          	<key>tokenRemovalAction</key>
          	<integer>1</integer>
          </dict>

          """)
      ]),
    .init(
      "-remove on booleans.plist",
      written: [
        "booleans.plist": document(
          """
          <dict>
          	<key>off</key>
          	<false/>
          </dict>

          """)
      ]),
    .init(
      "-remove 0 array.plist",
      written: [
        "array.plist": document(
          """
          <array>
          	<string>b</string>
          </array>

          """)
      ]),
    .init(
      "-create xml1 -", output: document("<dict/>\n")),
    .init(
      "-create json -", output: "{}"),
    .init(
      "-create xml1 new.plist", written: ["new.plist": document("<dict/>\n")]),
    .init(
      "-create json new.json", written: ["new.json": "{}"]),
  ]

  /// Failures, each with a part of what other plutils print.
  static let failures: [PlutilReference] = [
    .init("", error: "No files specified."),
    .init("-lint", error: "No files specified."),
    .init("-convert xml1", error: "No files specified."),
    .init("-x mixed.plist", error: "unrecognized option: -x"),
    .init("-convert foo mixed.plist", error: "nknown format specifier: foo"),
    .init(
      "-type nope missing",
      error: "missing: file does not exist or is not readable or is not a regular file ("),
    .init(
      "-convert xml1 .",
      error: ".: file does not exist or is not readable or is not a regular file ("),
    .init(
      "-extract a raw missing",
      error: "missing: file does not exist or is not readable or is not a regular file ("),
    .init(
      "-convert json mixed.plist",
      error: "mixed.plist: invalid object in plist for destination format"),
    .init(
      "-insert new -date 2024-01-31 data.json",
      error: "data.json: invalid object in plist for destination format"),
    .init(
      "-extract nope raw mixed.plist",
      error: "mixed.plist: Could not extract value, error: No value at that key path or invalid "
        + "key path: nope\n"),
    .init(
      "-extract list.7 xml1 mixed.plist",
      error: "mixed.plist: Could not extract value, error: No value at that key path or invalid "
        + "key path: list.7"),
    .init(
      "-type nope mixed.plist",
      error: "mixed.plist: Could not extract value, error: No value at that key path or invalid "
        + "key path: nope\n"),
    .init(
      "-extract count raw -expect string mixed.plist",
      error: "mixed.plist: Value at [count] expected to be string but is integer\n"),
    .init("-remove nope mixed.plist", error: "mixed.plist: No value to remove at key path nope\n"),
    .init(
      "-insert count -integer 1 mixed.plist",
      error: "mixed.plist: Value already exists at key path count"),
  ]
}

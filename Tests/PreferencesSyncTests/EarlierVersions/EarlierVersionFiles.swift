import Foundation

/// The files of a machine and the entries of its cluster, used in turn by the last version without
/// stamps and marks and by a later one. They were written by the programs of both versions.
struct EarlierVersionFiles: Sendable {
  /// The file of the store with the keys font, gone, size and theme.
  let store: String
  let state: String
  /// The names and data of the cluster's entries, in the order of their revisions.
  let entries: [(name: String, data: String)]

  /// Written by the earlier version alone, which has not uploaded the change of the font.
  static let before = EarlierVersionFiles(
    store: """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      	<key>font</key>
      	<string>sans</string>
      	<key>size</key>
      	<integer>1</integer>
      	<key>theme</key>
      	<string>old</string>
      </dict>
      </plist>

      """,
    state: """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      	<key>%machine</key>
      	<dict>
      		<key>mark</key>
      		<data>
      		YnBsaXN0MDDSAQIDBFRkYXRlWHJldmlzaW9uM0HIXIPfCtHUEAEIDRIbJAAA
      		AAAAAAEBAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAm
      		</data>
      		<key>origin</key>
      		<string>e155a53e1574a6cc</string>
      	</dict>
      	<key>font</key>
      	<dict>
      		<key>record</key>
      		<data>
      		YnBsaXN0MDCkAQIDBDNByFyD3uKdexAAXxAQZTE1NWE1M2UxNTc0YTZjY1Vz
      		ZXJpZggNFhgrAAAAAAAAAQEAAAAAAAAABQAAAAAAAAAAAAAAAAAAADE=
      		</data>
      	</dict>
      	<key>gone</key>
      	<dict>
      		<key>record</key>
      		<data>
      		YnBsaXN0MDCjAQIDM0HIXIPfq/K6EABfEBBlMTU1YTUzZTE1NzRhNmNjCAwV
      		FwAAAAAAAAEBAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAq
      		</data>
      	</dict>
      	<key>size</key>
      	<dict>
      		<key>record</key>
      		<data>
      		YnBsaXN0MDCkAQIDBDNByFyD3uKJPBAAXxAQZTE1NWE1M2UxNTc0YTZjYxAB
      		CA0WGCsAAAAAAAABAQAAAAAAAAAFAAAAAAAAAAAAAAAAAAAALQ==
      		</data>
      	</dict>
      	<key>theme</key>
      	<dict>
      		<key>record</key>
      		<data>
      		YnBsaXN0MDCkAQIDBDNByFyD3uKZbhAAXxAQZTE1NWE1M2UxNTc0YTZjY1Nv
      		bGQIDRYYKwAAAAAAAAEBAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAv
      		</data>
      	</dict>
      </dict>
      </plist>

      """,
    entries: [
      (
        "domains/org.example.editor/font",
        "YnBsaXN0MDCkAQIDBDNByFyD3uKdexAAXxAQZTE1NWE1M2UxNTc0YTZjY1VzZXJpZggNFhgrAAAAAAAAAQEAAAAAAAAABQAAAAAAAAAAAAAAAAAAADE="
      ),
      (
        "domains/org.example.editor/size",
        "YnBsaXN0MDCkAQIDBDNByFyD3uKJPBAAXxAQZTE1NWE1M2UxNTc0YTZjYxABCA0WGCsAAAAAAAABAQAAAAAAAAAFAAAAAAAAAAAAAAAAAAAALQ=="
      ),
      (
        "domains/org.example.editor/theme",
        "YnBsaXN0MDCkAQIDBDNByFyD3uKZbhAAXxAQZTE1NWE1M2UxNTc0YTZjY1NvbGQIDRYYKwAAAAAAAAEBAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAv"
      ),
      (
        "registry/org.example.editor/machine/e155a53e1574a6cc",
        "YnBsaXN0MDDSAQIDBFRkYXRlWHJldmlzaW9uM0HIXIPfCtHUEAEIDRIbJAAAAAAAAAEBAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAm"
      ),
      (
        "registry/org.example.editor/collected",
        "YnBsaXN0MDDSAQIDBFdjaGVja2VkWHJldmlzaW9uM0HIXIPfCtHUEAAIDRUeJwAAAAAAAAEBAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAp"
      ),
      (
        "domains/org.example.editor/gone",
        "YnBsaXN0MDCjAQIDM0HIXIPfq/K6EABfEBBlMTU1YTUzZTE1NzRhNmNjCAwVFwAAAAAAAAEBAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAq"
      ),
    ])

  /// Written by the later version, and then by the earlier one, which has set the size and received a font.
  static let between = EarlierVersionFiles(
    store: """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      	<key>LarderStamps</key>
      	<string>version 1
      origin 97f4ed02baa3c927 66b0f321cf6efae7
      key font b7e64291635d075c 817432512.9848866 0 78cd48548178c818 e155a53e1574a6cc
      key gone b7e64291635d075c 817432511.3433449 0 0000000000000000 e155a53e1574a6cc
      key size b7e64291635d075c 817432509.7698131 0 fd48f5dff998a41c e155a53e1574a6cc
      key theme b7e64291635d075c 817432514.3293169 0 90336bc4ee5cb32e 66b0f321cf6efae7
      </string>
      	<key>font</key>
      	<string>mono</string>
      	<key>size</key>
      	<integer>2</integer>
      	<key>theme</key>
      	<string>new</string>
      </dict>
      </plist>

      """,
    state: """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      	<key>%machine</key>
      	<dict>
      		<key>mark</key>
      		<data>
      		YnBsaXN0MDDSAQIDBFRkYXRlWHJldmlzaW9uM0HIXIPhbUzXEAYIDRIbJAAA
      		AAAAAAEBAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAm
      		</data>
      		<key>origin</key>
      		<string>e155a53e1574a6cc</string>
      	</dict>
      	<key>font</key>
      	<dict>
      		<key>record</key>
      		<data>
      		YnBsaXN0MDCkAQIDBDNByFyD4shJBBAAXxAQNjU2OWExYzEzMmNhNGMzOVRt
      		b25vCA0WGCsAAAAAAAABAQAAAAAAAAAFAAAAAAAAAAAAAAAAAAAAMA==
      		</data>
      	</dict>
      	<key>gone</key>
      	<dict>
      		<key>record</key>
      		<data>
      		YnBsaXN0MDCjAQIDM0HIXIPfq/K6EABfEBBlMTU1YTUzZTE1NzRhNmNjCAwV
      		FwAAAAAAAAEBAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAq
      		</data>
      	</dict>
      	<key>size</key>
      	<dict>
      		<key>record</key>
      		<data>
      		YnBsaXN0MDCkAQIDBDNByFyD4iIsnhAAXxAQZTE1NWE1M2UxNTc0YTZjYxAC
      		CA0WGCsAAAAAAAABAQAAAAAAAAAFAAAAAAAAAAAAAAAAAAAALQ==
      		</data>
      	</dict>
      	<key>theme</key>
      	<dict>
      		<key>record</key>
      		<data>
      		YnBsaXN0MDCkAQIDBDNByFyD4SonDhAAXxAQNjZiMGYzMjFjZjZlZmFlN1Nu
      		ZXcIDRYYKwAAAAAAAAEBAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAv
      		</data>
      	</dict>
      </dict>
      </plist>

      """,
    entries: [
      (
        "registry/org.example.editor/collected",
        "YnBsaXN0MDDSAQIDBFdjaGVja2VkWHJldmlzaW9uM0HIXIPfCtHUEAAIDRUeJwAAAAAAAAEBAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAp"
      ),
      (
        "domains/org.example.editor/gone",
        "YnBsaXN0MDCjAQIDM0HIXIPfq/K6EABfEBBlMTU1YTUzZTE1NzRhNmNjCAwVFwAAAAAAAAEBAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAq"
      ),
      (
        "domains/org.example.editor/theme",
        "YnBsaXN0MDCkAQIDBDNByFyD4SonDhAAXxAQNjZiMGYzMjFjZjZlZmFlN1NuZXcIDRYYKwAAAAAAAAEBAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAv"
      ),
      (
        "registry/org.example.editor/machine/e155a53e1574a6cc",
        "YnBsaXN0MDDUAQIDBAUGBwhUZGF0ZVtpbmNhcm5hdGlvblhyZXZpc2lvbld1cGxvYWRzM0HIXIPhbUzXE19CHrrJhi0qEAZfEBBiZjEyOTY2ODY5OTRhYTFmCBEWIiszPEVHAAAAAAAAAQEAAAAAAAAACQAAAAAAAAAAAAAAAAAAAFo="
      ),
      (
        "domains/org.example.editor/size",
        "YnBsaXN0MDCkAQIDBDNByFyD4iIsnhAAXxAQZTE1NWE1M2UxNTc0YTZjYxACCA0WGCsAAAAAAAABAQAAAAAAAAAFAAAAAAAAAAAAAAAAAAAALQ=="
      ),
      (
        "domains/org.example.editor/font",
        "YnBsaXN0MDCkAQIDBDNByFyD4shJBBAAXxAQNjU2OWExYzEzMmNhNGMzOVRtb25vCA0WGCsAAAAAAAABAQAAAAAAAAAFAAAAAAAAAAAAAAAAAAAAMA=="
      ),
      (
        "registry/org.example.editor/machine/6569a1c132ca4c39",
        "YnBsaXN0MDDSAQIDBFRkYXRlWHJldmlzaW9uM0HIXIPjSrdZEAgIDRIbJAAAAAAAAAEBAAAAAAAAAAUAAAAAAAAAAAAAAAAAAAAm"
      ),
    ])
}

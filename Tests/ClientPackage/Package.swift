// swift-tools-version: 6.2
import PackageDescription

// Programs as they are written for Defaults, Foil and TypedDefaults. On Linux all three are Larder.
// One more implements a remote store for Larder's synchronization.

#if os(Linux)
  let dependencies: [Package.Dependency] = [.package(name: "Larder", path: "../..")]
  let (defaults, foil) = ("Larder", "Larder")
#else
  let dependencies: [Package.Dependency] = [
    .package(url: "https://github.com/sindresorhus/Defaults", from: "9.0.0"),
    .package(url: "https://github.com/jessesquires/Foil", from: "6.0.0"),
  ]
  let (defaults, foil) = ("Defaults", "Foil")
#endif

var clients: [String: [Target.Dependency]] = [
  "DefaultsClient": [
    .product(name: "Defaults", package: defaults),
    .product(name: "DefaultsMacros", package: defaults),
  ],
  "FoilClient": [.product(name: "Foil", package: foil)],
  "MixedClient": [
    .product(name: "Defaults", package: defaults),
    .product(name: "DefaultsMacros", package: defaults),
    .product(name: "Foil", package: foil),
  ],
]

#if os(Linux)
  // Elsewhere it comes from CocoaPods.
  clients["TypedDefaultsClient"] = [.product(name: "TypedDefaults", package: "Larder")]
  clients["SyncClient"] = [.product(name: "PreferencesSync", package: "Larder")]
  let testing: [Target.Dependency] = [.product(name: "PreferencesSyncTesting", package: "Larder")]
#else
  let testing: [Target.Dependency] = []
#endif

let names = clients.keys.sorted()

let package = Package(
  name: "ClientPackage",
  platforms: [.macOS(.v15)],
  dependencies: dependencies,
  targets: names.map { .target(name: $0, dependencies: clients[$0] ?? []) }
    // The same sources, which these folders are links to, in the language mode of Swift 5.
    + names.map {
      .target(
        name: $0 + "InSwift5", dependencies: clients[$0] ?? [],
        swiftSettings: [.swiftLanguageMode(.v5)])
    }
    + [
      .testTarget(name: "ClientTests", dependencies: names.map { .target(name: $0) } + testing),
      .testTarget(name: "BarometerTests", dependencies: ["DefaultsClientInSwift5"]),
    ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
}

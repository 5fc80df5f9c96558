// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Larder",
  products: [
    .library(name: "PropertyList", targets: ["PropertyList"]),
    .executable(name: "plutil", targets: ["plutil"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),

    .target(name: "PropertyList", dependencies: ["CLibXML2"]),
    .target(name: "FileStorage"),

    .target(name: "CommandLineInterface"),
    .target(
      name: "PropertyListCommands",
      dependencies: ["CommandLineInterface", "FileStorage", "PropertyList"]),
    .executableTarget(name: "plutil", dependencies: ["PropertyListCommands"]),

    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(
      name: "PropertyListTests", dependencies: ["PropertyList", "TestSupport"],
      resources: [.copy("../../Fixtures")]),
    .testTarget(
      name: "DifferentialTests", dependencies: ["PropertyList", "TestSupport"],
      resources: [.copy("../../Fixtures"), .copy("plistlib-peer.py")]),
    .testTarget(name: "FileStorageTests", dependencies: ["FileStorage"]),
    .testTarget(name: "CommandLineInterfaceTests", dependencies: ["CommandLineInterface"]),
    .testTarget(
      name: "PropertyListCommandsTests", dependencies: ["PropertyList", "plutil"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}

// swift-tools-version: 6.2
import PackageDescription

// Benchmarks of the Larder libraries. A nested package, so that clients of Larder never build it.

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "Larder", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CLibXML2Peer", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .target(name: "CSAX", dependencies: ["CLibXML2Peer"]),
    .executableTarget(
      name: "larder-benchmark",
      dependencies: [
        "CSAX",
        .product(name: "Defaults", package: "Larder"),
        .product(name: "Preferences", package: "Larder"),
        .product(name: "PropertyList", package: "Larder"),
      ]),
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

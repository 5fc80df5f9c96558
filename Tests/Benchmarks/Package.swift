// swift-tools-version: 6.2
import PackageDescription

// Measures the libraries of the package around it. It is a package of its own, so that who uses those
// libraries never builds or sees it.

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "Larder", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CLibXML2Peer", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .target(name: "CEmptySAX", dependencies: ["CLibXML2Peer"]),
    .executableTarget(
      name: "larder-benchmark",
      dependencies: [
        "CEmptySAX",
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

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Larder",
  products: [
    .library(name: "PropertyList", targets: ["PropertyList"])
  ],
  targets: [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),

    .target(name: "PropertyList", dependencies: ["CLibXML2"]),

    .testTarget(name: "PropertyListTests", dependencies: ["PropertyList"]),
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

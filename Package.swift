// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Larder",
  products: [
    .library(name: "PropertyList", targets: ["PropertyList"]),
    .library(name: "FileStorage", targets: ["FileStorage"]),
    .library(name: "Preferences", targets: ["Preferences"]),
    .library(name: "PreferencesFoundation", targets: ["PreferencesFoundation"]),
    .library(name: "PreferencesSync", targets: ["PreferencesSync"]),
    .library(name: "TypedPreferences", targets: ["TypedPreferences"]),
    .library(name: "Foil", targets: ["Foil"]),
    .library(name: "TypedDefaults", targets: ["TypedDefaults"]),
    .library(name: "Defaults", targets: ["Defaults"]),
    .library(name: "DefaultsMacros", targets: ["DefaultsMacros"]),
    .executable(name: "defaults", targets: ["DefaultsCommand"]),
    .executable(name: "plutil", targets: ["plutil"]),
    .executable(name: "PlistBuddy", targets: ["PlistBuddy"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),

    .target(name: "PropertyList", dependencies: ["CLibXML2"]),
    .target(name: "CLinuxFile"),
    .target(name: "FileStorage", dependencies: ["CLinuxFile"]),

    .target(name: "Preferences", dependencies: ["CLinuxFile", "FileStorage", "PropertyList"]),
    .target(name: "PreferencesFoundation", dependencies: ["Preferences", "PropertyList"]),
    .target(name: "PreferencesSync", dependencies: ["FileStorage", "Preferences", "PropertyList"]),
    .target(
      name: "TypedPreferences", dependencies: ["FileStorage", "Preferences", "PropertyList"]),
    .target(
      name: "Foil",
      dependencies: ["FileStorage", "Preferences", "PropertyList", "TypedPreferences"]),
    .target(
      name: "TypedDefaults",
      dependencies: ["FileStorage", "Preferences", "PropertyList", "TypedPreferences"]),

    .target(
      name: "Defaults",
      dependencies: [
        "FileStorage", "Preferences", "PreferencesFoundation", "PreferencesSync", "PropertyList",
        "TypedPreferences",
      ]),
    .target(name: "DefaultsMacros", dependencies: ["Defaults", "Preferences", "TypedPreferences"]),

    .target(name: "CommandLineInterface", dependencies: ["FileStorage", "PropertyList"]),
    .target(
      name: "PropertyListCommands",
      dependencies: ["CommandLineInterface", "FileStorage", "PropertyList"]),
    .executableTarget(name: "plutil", dependencies: ["PropertyListCommands"]),
    .executableTarget(name: "PlistBuddy", dependencies: ["PropertyListCommands"]),
    .target(
      name: "PreferencesCommands",
      dependencies: ["CommandLineInterface", "FileStorage", "Preferences", "PropertyList"]),
    .executableTarget(name: "DefaultsCommand", dependencies: ["PreferencesCommands"]),
    .executableTarget(name: "TenantServer", dependencies: ["Preferences"]),
    .executableTarget(name: "LaunchCounter", dependencies: ["Preferences", "PropertyList"]),
    .executableTarget(
      name: "larder-benchmark",
      dependencies: ["CLibXML2", "Defaults", "Preferences", "PropertyList"]),

    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(
      name: "PropertyListTests", dependencies: ["PropertyList", "TestSupport"],
      resources: [.copy("../../Fixtures")]),
    .testTarget(
      name: "DifferentialTests", dependencies: ["PropertyList", "TestSupport"],
      resources: [.copy("../../Fixtures"), .copy("plistlib-peer.py")]),
    .testTarget(
      name: "FileStorageTests", dependencies: ["CLinuxFile", "FileStorage", "TestSupport"]),
    .testTarget(
      name: "PreferencesTests", dependencies: ["Preferences", "PropertyList", "TestSupport"]),
    .testTarget(
      name: "PreferencesFoundationTests",
      dependencies: ["PreferencesFoundation", "PropertyList", "TestSupport"]),
    .testTarget(
      name: "TypedPreferencesTests",
      dependencies: ["FileStorage", "Preferences", "PropertyList", "TypedPreferences"]),
    .testTarget(
      name: "FoilTests",
      dependencies: [
        "FileStorage", "Foil", "Preferences", "PropertyList", "TestSupport", "TypedPreferences",
      ]),
    .testTarget(
      name: "TypedDefaultsTests",
      dependencies: [
        "FileStorage", "Preferences", "PropertyList", "TestSupport", "TypedDefaults",
        "TypedPreferences",
      ]),
    .testTarget(
      name: "DefaultsTests",
      dependencies: [
        "Defaults", "DefaultsMacros", "FileStorage", "Preferences", "PreferencesSync",
        "PropertyList", "TestSupport", "TypedPreferences",
      ]),
    .executableTarget(
      name: "PreferencesTestProgram", dependencies: ["Preferences", "PropertyList"],
      path: "Tests/PreferencesTestProgram"),
    .testTarget(
      name: "PreferencesProcessTests",
      dependencies: [
        "FileStorage", "Preferences", "PreferencesTestProgram", "PropertyList", "TenantServer",
        "TestSupport",
      ]),
    .target(
      name: "RemoteStoreContract", dependencies: ["PreferencesSync"],
      path: "Tests/RemoteStoreContract"),
    .executableTarget(
      name: "PreferencesSyncTestProgram",
      dependencies: ["Preferences", "PreferencesSync", "PropertyList"],
      path: "Tests/PreferencesSyncTestProgram"),
    .testTarget(
      name: "PreferencesSyncTests",
      dependencies: [
        "FileStorage", "Preferences", "PreferencesSync", "PreferencesSyncTestProgram",
        "PropertyList", "RemoteStoreContract", "TestSupport",
      ]),
    .testTarget(name: "CommandLineInterfaceTests", dependencies: ["CommandLineInterface"]),
    .testTarget(
      name: "PropertyListCommandsTests",
      dependencies: ["PlistBuddy", "PropertyList", "TestSupport", "plutil"]),
    .testTarget(
      name: "PreferencesCommandsTests",
      dependencies: ["DefaultsCommand", "PropertyList", "TestSupport"]),
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

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Larder",
  products: [
    .library(name: "PropertyList", targets: ["PropertyList"]),
    .library(name: "Manifests", targets: ["Manifests"]),
    .library(name: "Preferences", targets: ["Preferences"]),
    .library(name: "PreferencesFoundation", targets: ["PreferencesFoundation"]),
    .library(name: "PreferencesSync", targets: ["PreferencesSync"]),
    .library(name: "PreferencesSyncTesting", targets: ["PreferencesSyncTesting"]),
    .library(name: "EtcdStore", targets: ["EtcdStore"]),
    .library(name: "Publishing", targets: ["Publishing"]),
    .library(name: "TypedPreferences", targets: ["TypedPreferences"]),
    .library(name: "Foil", targets: ["Foil"]),
    .library(name: "FoilExtraTypes", targets: ["FoilExtraTypes"]),
    .library(name: "TypedDefaults", targets: ["TypedDefaults"]),
    .library(name: "Defaults", targets: ["Defaults"]),
    .library(name: "DefaultsMacros", targets: ["DefaultsMacros"]),
    .library(name: "DefaultsExtraTypes", targets: ["DefaultsExtraTypes"]),
    .executable(name: "defaults", targets: ["DefaultsCommand"]),
    .executable(name: "defaults-sync", targets: ["DefaultsSyncCommand"]),
    .executable(name: "plutil", targets: ["plutil"]),
    .executable(name: "PlistBuddy", targets: ["PlistBuddy"]),
  ],
  traits: [
    .trait(name: "Etcd", description: "Synchronization through etcd, which needs libcurl.")
  ],
  targets: [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),

    .target(name: "CLinuxFile"),

    .target(name: "Threading", dependencies: ["CLinuxFile"]),
    .target(name: "Publishing", dependencies: ["Threading"]),
    .target(name: "PropertyList", dependencies: ["CLibXML2"]),
    .target(name: "Manifests", dependencies: ["PropertyList"]),
    .target(name: "FileStorage", dependencies: ["CLinuxFile", "Threading"]),

    .target(
      name: "Preferences", dependencies: ["CLinuxFile", "FileStorage", "PropertyList", "Threading"]),
    .target(
      name: "PreferencesFoundation", dependencies: ["Preferences", "PropertyList", "Publishing"]),
    .target(
      name: "PreferencesSync",
      dependencies: ["CLinuxFile", "FileStorage", "Preferences", "PropertyList", "Threading"]),
    .target(
      name: "PreferencesSyncTesting",
      dependencies: ["Preferences", "PreferencesSync", "PropertyList", "Threading"]),
    .target(
      name: "EtcdStore",
      dependencies: [
        // Without the trait nothing looks for libcurl.
        .target(name: "CCurl", condition: .when(traits: ["Etcd"])), "PreferencesSync",
        "Threading",
      ]),
    .target(
      name: "TypedPreferences",
      dependencies: ["Manifests", "Preferences", "PropertyList", "Publishing", "Threading"]),

    .target(
      name: "Foil",
      dependencies: [
        "Preferences", "PreferencesFoundation", "PropertyList", "Threading", "TypedPreferences",
      ]),
    .target(name: "FoilExtraTypes", dependencies: ["Foil"]),
    .target(
      name: "TypedDefaults",
      dependencies: [
        "Preferences", "PreferencesFoundation", "PropertyList", "Threading", "TypedPreferences",
      ]),
    .target(
      name: "Defaults",
      dependencies: [
        "Preferences", "PreferencesFoundation", "PreferencesSync", "PropertyList", "Threading",
        "TypedPreferences",
      ]),
    .target(name: "DefaultsMacros", dependencies: ["Defaults", "Preferences", "TypedPreferences"]),
    .target(name: "DefaultsExtraTypes", dependencies: ["Defaults", "TypedPreferences"]),

    .target(
      name: "CommandLineInterface",
      dependencies: ["CLinuxFile", "FileStorage", "Manifests", "PropertyList", "Threading"]),
    .target(
      name: "InspectionPage", dependencies: ["Manifests", "PropertyList"],
      resources: [.embedInCode("Page")]),
    .target(
      name: "PropertyListCommands",
      dependencies: [
        "CommandLineInterface", "FileStorage", "InspectionPage", "Manifests", "PropertyList",
      ]),
    .target(
      name: "PreferencesCommands",
      dependencies: [
        "CommandLineInterface", "FileStorage", "InspectionPage", "Manifests", "Preferences",
        "PropertyList",
      ]),

    .target(
      name: "SyncCommands",
      dependencies: [
        "CommandLineInterface", "EtcdStore", "FileStorage", "Manifests", "Preferences",
        "PreferencesSync", "PropertyList", "Threading",
      ]),

    .executableTarget(name: "plutil", dependencies: ["PropertyListCommands"]),
    .executableTarget(name: "PlistBuddy", dependencies: ["PropertyListCommands"]),
    .executableTarget(name: "DefaultsCommand", dependencies: ["PreferencesCommands"]),
    .executableTarget(name: "DefaultsSyncCommand", dependencies: ["SyncCommands"]),

    .executableTarget(
      name: "LaunchCounter", dependencies: ["Preferences", "PropertyList"],
      path: "Sources/Examples/LaunchCounter"),
    .executableTarget(
      name: "TenantServer", dependencies: ["Preferences", "PropertyList"],
      path: "Sources/Examples/TenantServer"),
    .executableTarget(
      name: "RememberedOptions", dependencies: ["Preferences", "PropertyList"],
      path: "Sources/Examples/RememberedOptions"),
    .executableTarget(
      name: "NotesTool", dependencies: ["Preferences", "TypedPreferences"],
      path: "Sources/Examples/NotesTool"),
    .executableTarget(
      name: "PreferencesPlayer", dependencies: ["Preferences", "PropertyList"],
      path: "Sources/Examples/PreferencesPlayer"),
    .executableTarget(
      name: "DefaultsPlayer", dependencies: ["Defaults"],
      path: "Sources/Examples/DefaultsPlayer"),
    .executableTarget(
      name: "FoilPlayer", dependencies: ["Foil"],
      path: "Sources/Examples/FoilPlayer"),
    .executableTarget(
      name: "TypedDefaultsPlayer", dependencies: ["TypedDefaults"],
      path: "Sources/Examples/TypedDefaultsPlayer"),
    .executableTarget(
      name: "PlaylistEditor", dependencies: ["PropertyList"],
      path: "Sources/Examples/PlaylistEditor"),
    .executableTarget(
      name: "FixtureInspector", dependencies: ["PropertyList"],
      path: "Sources/Examples/FixtureInspector"),
    .executableTarget(
      name: "CodableMigration", dependencies: ["Defaults", "PropertyList"],
      path: "Sources/Examples/CodableMigration"),

    .target(name: "ToolSupport", path: "Tests/Tools/Support"),
    .executableTarget(
      name: "EmptyTool", dependencies: ["Preferences", "ToolSupport"],
      path: "Tests/Tools/EmptyTool"),
    .executableTarget(
      name: "PreferencesTool", dependencies: ["Preferences", "ToolSupport"],
      path: "Tests/Tools/PreferencesTool"),
    .executableTarget(
      name: "UserDefaultsTool", dependencies: ["ToolSupport"],
      path: "Tests/Tools/UserDefaultsTool"),

    .testTarget(
      name: "TestSupport", dependencies: ["Threading", "TypedPreferences"],
      path: "Tests/TestSupport"),
    .testTarget(
      name: "PropertyListTests", dependencies: ["PropertyList", "TestSupport"],
      resources: [.copy("../../Fixtures")]),
    .testTarget(
      name: "ManifestsTests", dependencies: ["Manifests", "PropertyList"],
      resources: [.copy("../../Fixtures")]),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CommandLineInterface", "Manifests", "Preferences", "PreferencesFoundation",
        "PreferencesSync", "PropertyList", "PropertyListCommands",
      ],
      path: "Tests/Fuzzing/Targets", resources: [.copy("plistlib-peer.py")]),
    .executableTarget(
      name: "Fuzzer", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/Program"),
    .testTarget(
      name: "FuzzTargetTests", dependencies: ["FuzzTargets"],
      resources: [.copy("../../Fixtures"), .copy("../Fuzzing/Corpora")]),
    .testTarget(
      name: "DifferentialTests", dependencies: ["FuzzTargets", "PropertyList", "TestSupport"],
      resources: [.copy("../../Fixtures")]),
    .testTarget(
      name: "ComparisonTests",
      dependencies: [
        "PreferencesTool", "PropertyList", "TestSupport", "UserDefaultsTool", "plutil",
      ]),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "CodableMigration", "DefaultsPlayer", "FixtureInspector", "FoilPlayer", "LaunchCounter",
        "Manifests", "NotesTool", "PlaylistEditor", "PreferencesPlayer", "PropertyList",
        "RememberedOptions", "TestSupport", "TypedDefaultsPlayer", "TypedPreferences",
      ],
      resources: [.copy("../../Fixtures")]),
    .testTarget(name: "ThreadingTests", dependencies: ["TestSupport", "Threading"]),
    .testTarget(
      name: "PublishingTests", dependencies: ["Publishing", "TestSupport", "Threading"]),
    .testTarget(
      name: "FileStorageTests",
      dependencies: ["CLinuxFile", "FileStorage", "TestSupport", "Threading"]),
    .testTarget(
      name: "PreferencesTests",
      dependencies: ["FileStorage", "Preferences", "PropertyList", "TestSupport", "Threading"]),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["FileStorage", "Preferences", "PropertyList", "TestSupport", "Threading"],
      path: "Tests/Simulation", exclude: ["Schedules", "try-mutants"]),
    .testTarget(
      name: "PreferencesFoundationTests",
      dependencies: [
        "PreferencesFoundation", "PropertyList", "Publishing", "TestSupport", "Threading",
      ]),
    .testTarget(
      name: "TypedPreferencesTests",
      dependencies: [
        "Manifests", "Preferences", "PropertyList", "TestSupport", "Threading", "TypedPreferences",
      ]),
    .testTarget(
      name: "FoilTests",
      dependencies: [
        "Foil", "FoilExtraTypes", "Preferences", "PropertyList", "TestSupport", "Threading",
        "TypedPreferences",
      ]),
    .testTarget(
      name: "TypedDefaultsTests",
      dependencies: [
        "Preferences", "PropertyList", "TestSupport", "Threading", "TypedDefaults",
        "TypedPreferences",
      ]),
    .testTarget(
      name: "DefaultsTests",
      dependencies: [
        "Defaults", "DefaultsExtraTypes", "DefaultsMacros", "Preferences", "PreferencesSync",
        "PreferencesSyncTesting", "PropertyList", "TestSupport", "Threading", "TypedPreferences",
      ]),
    .executableTarget(
      name: "PreferencesTestProgram", dependencies: ["Preferences", "PropertyList"],
      path: "Tests/PreferencesTestProgram"),
    .executableTarget(
      name: "AsyncTestProgram", dependencies: ["Preferences"], path: "Tests/AsyncTestProgram"),
    .testTarget(
      name: "PreferencesProcessTests",
      dependencies: [
        "AsyncTestProgram", "DefaultsCommand", "EmptyTool", "FileStorage", "PlistBuddy",
        "Preferences", "PreferencesTestProgram", "PreferencesTool", "PropertyList", "TenantServer",
        "TestSupport", "Threading", "plutil",
      ],
      resources: [
        .copy("Faults/foreign-writer.py"), .copy("Faults/Disk/recording-disk.py"),
        .copy("Faults/Injection/short-writes.c"), .copy("Files/other-system.c"),
      ]),
    .executableTarget(
      name: "PreferencesSyncTestProgram",
      dependencies: [
        "Preferences", "PreferencesSync", "PreferencesSyncTesting", "PropertyList",
      ],
      path: "Tests/PreferencesSyncTestProgram"),
    .target(name: "SyncHistories", dependencies: ["Threading"], path: "Tests/SyncHistories"),
    .testTarget(
      name: "PreferencesSyncTests",
      dependencies: [
        "Preferences", "PreferencesSync", "PreferencesSyncTestProgram", "PreferencesSyncTesting",
        "PropertyList", "SyncHistories", "TestSupport", "Threading",
      ]),
    .executableTarget(
      name: "FleetTestProgram",
      dependencies: ["EtcdStore", "Preferences", "PreferencesSync", "PropertyList", "Threading"],
      path: "Tests/FleetTestProgram"),
    .testTarget(
      name: "EtcdStoreTests",
      dependencies: [
        "Defaults", "DefaultsCommand", "DefaultsSyncCommand", "EtcdStore", "FleetTestProgram",
        "Preferences", "PreferencesSync", "PreferencesSyncTesting", "PropertyList", "SyncHistories",
        "TestSupport", "Threading",
      ]),
    .testTarget(
      name: "CommandLineInterfaceTests",
      dependencies: ["CommandLineInterface", "Manifests", "PropertyList"]),
    .testTarget(
      name: "InspectionPageTests", dependencies: ["InspectionPage", "PropertyList"]),
    .testTarget(
      name: "PropertyListCommandsTests",
      dependencies: ["DefaultsCommand", "PlistBuddy", "PropertyList", "TestSupport", "plutil"]),
    .testTarget(
      name: "PreferencesCommandsTests",
      dependencies: ["DefaultsCommand", "Preferences", "PropertyList", "TestSupport"]),
    .testTarget(
      name: "SyncCommandsTests",
      dependencies: [
        "DefaultsCommand", "DefaultsSyncCommand", "EtcdStore", "FileStorage", "PropertyList",
        "SyncCommands", "TestSupport",
      ]),
    .testTarget(
      name: "BrowserTests",
      dependencies: ["DefaultsCommand", "PropertyList", "TestSupport", "Threading", "plutil"]),
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

// The targets named in the environment, separated by spaces, with the targets that they need, and nothing else: one quick
// build where the rest is not needed.
if let chosen = Context.environment["LARDER_TARGETS"] {
  var needed: Set<String> = []
  var names = chosen.split(separator: " ").map(String.init)
  while let name = names.popLast() {
    guard needed.insert(name).inserted,
      let target = package.targets.first(where: { $0.name == name })
    else { continue }
    names += target.dependencies.compactMap { dependency in
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): name
      default: nil
      }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = package.products.filter { product in
    switch product {
    case let library as Product.Library: library.targets.allSatisfy(needed.contains)
    case let program as Product.Executable: program.targets.allSatisfy(needed.contains)
    default: true
    }
  }
}

@_exported public import PreferencesFoundation
@_exported public import TypedPreferences

@_exported public import Preferences
@_exported public import TypedPreferences

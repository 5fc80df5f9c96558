import Foundation

/// The preference manifest of the domain `org.example.editor`.
package enum EditorManifest {
  package static let text = """
    {
      pfm_domain = "org.example.editor"; pfm_title = "Editor"; pfm_description = "A text editor.";
      pfm_subkeys = (
        { pfm_name = "PayloadUUID"; pfm_type = "string"; pfm_require = "always"; },
        { pfm_name = "tabWidth"; pfm_type = "integer"; pfm_title = "Tab width"; pfm_default = <*I4>;
          pfm_description = "Columns of a tab."; pfm_range_min = <*I1>; pfm_range_max = <*I16>;
          pfm_value_unit = "columns"; pfm_value_placeholder = <*I8>; pfm_targets = (user); },
        { pfm_name = "theme"; pfm_type = "string"; pfm_default = "dark"; pfm_note = "a -- b";
          pfm_range_list = ("light", "dark"); pfm_range_list_titles = ("Light", "Dark"); },
        { pfm_name = "font"; pfm_type = "string"; pfm_range_list = ("Mono");
          pfm_range_list_allow_custom_value = <*BY>; pfm_description = "Any -- font--"; },
        { pfm_name = "window"; pfm_type = "dictionary"; pfm_title = "Window"; pfm_subkeys = (
          { pfm_name = "width"; pfm_type = "integer"; pfm_default = <*I800>; pfm_require = "always"; },
          { pfm_name = "title"; pfm_type = "string"; pfm_default = "a\\nb"; } ); },
        { pfm_name = "recent"; pfm_type = "array"; pfm_repetition_max = <*I3>;
          pfm_subkeys = ({ pfm_type = "string"; pfm_format = "/.*"; }); },
        { pfm_name = "proxy"; pfm_type = "string";
          pfm_exclude = ({ pfm_target_conditions = ({ pfm_target = "theme"; pfm_range_list = ("light"); }); });
          pfm_conditionals = ({ pfm_require = "always"; pfm_target_conditions =
            ({ pfm_target = "font"; pfm_present = <*BY>; }); }); },
        { pfm_name = "token"; pfm_type = "string"; pfm_sensitive = <*BY>; pfm_default = "hunter2";
          pfm_range_list = ("hunter2", "hunter3"); },
        { pfm_name = "account"; pfm_type = "dictionary"; pfm_default = { pin = "hunter4"; };
          pfm_subkeys = ({ pfm_name = "pin"; pfm_type = "string"; pfm_sensitive = <*BY>; }); },
        { pfm_name = "wrap"; pfm_type = "boolean"; },
        { pfm_name = "old"; pfm_type = "string"; pfm_app_deprecated = "2.0"; pfm_app_min = "1.0"; }
      );
    }

    """

  /// Writes the manifest into `data`, a value for `XDG_DATA_HOME`, in a folder.
  package static func install(in folder: TemporaryFolder) throws {
    let manifests = "data/preferences/manifests"
    try FileManager.default.createDirectory(
      atPath: folder.path(manifests), withIntermediateDirectories: true)
    try folder.write(text, to: "\(manifests)/org.example.editor.plist")
  }
}

import Defaults
import Foundation

/// A class with secure coding and a name that can be archived.
class ArchivedNote: NSObject, NSSecureCoding, Defaults.Serializable {
  class var supportsSecureCoding: Bool { true }
  let text: String
  var attachment: Any?

  init(_ text: String, attachment: Any? = nil) {
    self.text = text
    self.attachment = attachment
  }

  required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "text") else { return nil }
    self.text = text as String
    attachment = coder.decodeObject(forKey: "attachment")
  }

  func encode(with coder: NSCoder) {
    coder.encode(text as NSString, forKey: "text")
    coder.encode(attachment, forKey: "attachment")
  }

  override func isEqual(_ object: Any?) -> Bool { (object as? ArchivedNote)?.text == text }
  override var hash: Int { text.hashValue }
}

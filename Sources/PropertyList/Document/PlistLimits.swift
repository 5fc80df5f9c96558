/// How much a document may ask of the machine; whatever goes beyond is refused with an error.
///
/// The limits hold for reading and for writing alike, so that what was written can be read again.
public struct PlistLimits: Sendable, Hashable {
  /// Containers within containers, the outermost counting as one. 512 unless changed.
  ///
  /// Readers and writers do not recurse, but Swift compares, hashes and releases nested values level
  /// by level on the stack: 512 levels take up to 200 KiB of it, and up to 1 MiB in a debug build.
  public var maximumDepth = 512

  /// Values in a document, containers included and shared ones counted each time they appear.
  /// 50 million unless changed.
  ///
  /// In a binary property list a few bytes can describe billions of values by naming the same object
  /// again and again. A string, key or data counts once more for every 64 bytes.
  public var maximumNodeCount = 50_000_000

  /// Bytes of a document. 2 GiB unless changed.
  public var maximumSize = 2 << 30

  /// Bytes of XML that may pass without an event: a bound for one start tag with its attributes, one
  /// comment, one CDATA section. Text and data may be of any length. 64 KiB unless changed.
  ///
  /// libxml2 needs time in the square of the number of attributes of an element.
  public var maximumMarkupLength = 64 << 10

  /// Attributes of an XML element, which property lists have no use for but for one. 256 unless
  /// changed.
  public var maximumAttributeCount = 256

  /// Warnings that are kept; what is odd after so many is passed over. 1,000 unless changed.
  public var maximumWarningCount = 1000

  /// The default limits.
  public init() {}
}

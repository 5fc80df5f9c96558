internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The intended contents of the file of a managed domain.
enum ManagedContents {
  /// Encodes the values of a domain: as XML, or as binary if XML would not preserve every value
  /// exactly.
  ///
  /// - Throws: The reason if the values may not be managed.
  static func encode(
    _ values: PlistDictionary, domain: String, _ limits: ManagedPreferencesLimits
  ) throws(ManagedPreferencesError) -> Data {
    if values.count > limits.keysOfDomain {
      throw .tooManyKeys(domain: domain, limit: limits.keysOfDomain)
    }
    let data: Data
    do throws(PlistError) {
      data = try encode(values)
    } catch {
      throw .unwritable(domain: domain, error)
    }
    if data.count > limits.bytesOfDomain {
      throw .tooLarge(domain: domain, limit: limits.bytesOfDomain)
    }
    return data
  }

  private static func encode(_ values: PlistDictionary) throws(PlistError) -> Data {
    var options = PlistWriteOptions()
    options.rejectsFractionalSeconds = true
    do throws(PlistError) {
      return try Plist.write(.dictionary(values), as: .xml, options: options)
    } catch {
      return try Plist.write(.dictionary(values), as: .binary)
    }
  }
}

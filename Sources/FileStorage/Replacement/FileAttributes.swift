internal import CLinuxFile
internal import Glibc

/// The owner, permissions, access control list and extended attributes of a file.
enum FileAttributes {
  /// Copies the attributes of a file to a new one, which is empty and private to its owner.
  ///
  /// A user who may not open the other file must never be able to open the new one: a descriptor
  /// opened too early would later read the contents. So the permissions come last, because for a
  /// file with an access control list the group's permissions are the mask of the list.
  ///
  /// If the process may write a file but not give files away, the new file has another owner, and
  /// another group if the process is not a member of the group. No user gains permissions: the
  /// other group gets at most the permissions of all users.
  ///
  /// If a system-call filter forbids extended attributes, as in some containers, the file is saved
  /// without those that the process cannot read or set. The meaning of the group's permissions is
  /// then unknown, and the new file's group gets at most the permissions of all users.
  ///
  /// - Returns: The owner of the new file.
  /// - Throws: An error for an attribute that cannot be copied, unless only the system may set it.
  static func copy(
    from name: String, _ existing: FileIdentity, to new: TemporaryFile, in folder: Folder
  ) throws(FileSystemError) -> FileOwner {
    let file = new.descriptor
    var owner = new.identity.owner
    if owner != existing.owner {
      owner = try existing.owner.assign(to: file)
      if owner != existing.owner, !folder.mayWrite(name) {
        throw FileSystemError(.replaceReadOnlyFile, code: EPERM)
      }
    }
    let keepsGroup = owner.group == existing.owner.group
    // Extended attributes can only be read from a file that can be opened.
    let source = try folder.open(name, flags: O_RDONLY | O_NONBLOCK)
    let names = try names(of: source)
    var hasList = false
    /// Whether the new file has the same access control list as the other file, or neither has one.
    var isListKept = names != nil
    for attribute in names ?? [] {
      let isCopied = try copy(attribute, from: source, to: file) { value in
        attribute == accessList && !keepsGroup ? AccessList.restrictingGroup(in: value) : value
      }
      if attribute == accessList {
        hasList = isCopied
        isListKept = isCopied
      }
    }
    // The new file may have inherited a list from the folder.
    if isListKept, !hasList { isListKept = try removeAccessList(of: file) }
    // The set-user-ID and set-group-ID bits are kept only if the owner or group is the same.
    var mode = existing.mode & (owner == existing.owner ? 0o7777 : 0o777)
    if !keepsGroup && !hasList || !isListKept { mode &= ~0o070 | (mode & 0o007) << 3 }
    guard fchmod(file.number, mode) == 0 else { throw FileSystemError(.copyPermissions) }
    return owner
  }

  private static let accessList = "system.posix_acl_access"

  /// Returns the names of the attributes of a file; nil if the process may not list them.
  private static func names(of file: Descriptor) throws(FileSystemError) -> [String]? {
    let list = try bytes { larder_list_attributes(file.number, $0, $1) }
    return list?.split(separator: 0).map { name in
      String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// Removes an access control list; returns whether the file then has none, as far as is known.
  private static func removeAccessList(of file: Descriptor) throws(FileSystemError) -> Bool {
    guard let names = try names(of: file) else { return false }
    if !names.contains(accessList) || larder_remove_attribute(file.number, accessList) == 0 {
      return true
    }
    guard isForbidden(errno) else { throw FileSystemError(.copyAccessControlList) }
    return false
  }

  /// Copies an attribute; false if the process may not read or set it.
  private static func copy(
    _ name: String, from source: Descriptor, to file: Descriptor,
    _ convert: ([CChar]) -> [CChar]
  ) throws(FileSystemError) -> Bool {
    let found = try bytes { larder_get_attribute(source.number, name, $0, $1) }
    guard let value = found.map(convert) else { return false }
    if larder_set_attribute(file.number, name, value, value.count) == 0 { return true }
    // Only the system may set security labels and trusted attributes.
    if name.hasPrefix("security.") || name.hasPrefix("trusted.") || isForbidden(errno) {
      return false
    }
    throw FileSystemError(.copyExtendedAttribute(name))
  }

  /// Whether a call has failed because the process may not make it at all. A file system would not
  /// give the owner of an open file one of these errors.
  private static func isForbidden(_ code: Int32) -> Bool {
    code == EPERM || code == EACCES || code == ENOSYS
  }

  /// Returns the result of a call that reports its size when called without a buffer; nil if the
  /// process may not make it.
  private static func bytes(
    _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int
  ) throws(FileSystemError) -> [CChar]? {
    while true {
      let size = call(nil, 0)
      if size == 0 || size < 0 && errno == EOPNOTSUPP { return [] }
      if size < 0, isForbidden(errno) { return nil }
      guard size >= 0 else { throw FileSystemError(.readExtendedAttributes) }
      var buffer = Array(repeating: CChar(0), count: size)
      let count = buffer.withUnsafeMutableBufferPointer { call($0.baseAddress, $0.count) }
      if count >= 0 { return Array(buffer.prefix(count)) }
      if isForbidden(errno) { return nil }
      guard errno == ERANGE else { throw FileSystemError(.readExtendedAttributes) }
    }
  }
}

/// An access control list as the kernel keeps it in an extended attribute: a version of four bytes,
/// then entries of a tag and permissions of two bytes each, and an identifier of four
/// (`linux/posix_acl_xattr.h`).
enum AccessList {
  private static let headerSize = 4
  private static let entrySize = 8
  /// The tag of the entry of the file's group.
  private static let group: CChar = 0x04
  /// The tag of the entry of all other users.
  private static let others: CChar = 0x20

  /// Returns a list that grants the file's group no more than all other users.
  static func restrictingGroup(in list: [CChar]) -> [CChar] {
    var list = list
    let entries = stride(from: headerSize, to: list.count - entrySize + 1, by: entrySize)
    // The values are small and little-endian.
    let permissions = entries.first { list[$0] == others }.map { list[$0 + 2] } ?? 0
    for entry in entries where list[entry] == group { list[entry + 2] &= permissions }
    return list
  }
}

/// The user and the group that a file belongs to.
package struct FileOwner: Sendable, Hashable {
  package var user: UInt32
  package var group: UInt32
}

extension FileOwner {
  /// Gives an open file this owner, or at least its group, as far as the process may.
  ///
  /// - Returns: The owner that the file has then.
  /// - Throws: An error, except if the process may not do so, or if the owner is unknown in its
  ///   user namespace.
  func assign(to file: Descriptor) throws(FileSystemError) -> FileOwner {
    if fchown(file.number, user, group) == 0 { return self }
    let error = FileSystemError(.copyOwner)
    guard error.code == EPERM || error.code == EINVAL else { throw error }
    _ = fchown(file.number, .max, group)
    return FileIdentity(try file.information()).owner
  }

  /// Gives a file that root has just created in another user's folder to the owner of the folder,
  /// whose programs will use it.
  static func assignFolderOwner(to file: Descriptor, in folder: Folder) {
    guard geteuid() == 0, let owner = try? FileIdentity(folder.descriptor.information()).owner,
      owner.user != 0
    else { return }
    _ = fchown(file.number, owner.user, owner.group)
  }
}

extension FileIdentity {
  /// Throws if the mode forbids the owner to write the file, as after `chmod a-w`. This also
  /// applies to root, although the kernel lets root write any file.
  package func checkOwnerMayWrite() throws(FileSystemError) {
    if mode & S_IWUSR == 0 { throw FileSystemError(.replacePinnedFile, code: EACCES) }
  }
}

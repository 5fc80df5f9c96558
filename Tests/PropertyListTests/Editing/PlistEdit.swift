import PropertyList

/// A change of a value or of a document.
enum PlistEdit {
  case insert(PlistValue, at: PlistKeyPath)
  case append(PlistValue, to: PlistKeyPath)
  case replace(PlistKeyPath, with: PlistValue)
  case remove(PlistKeyPath)
  case update(PlistValue)

  func apply(to value: inout PlistValue) throws(PlistEditError) {
    switch self {
    case .insert(let new, let path): try value.insert(new, at: path)
    case .append(let new, let path): try value.append(new, toArrayAt: path)
    case .replace(let path, let new): try value.replace(at: path, with: new)
    case .remove(let path): try value.remove(at: path)
    case .update(let new): value = new
    }
  }

  func apply(to document: inout EditedPlistDocument) throws(PlistEditError) {
    switch self {
    case .insert(let new, let path): try document.insert(new, at: path)
    case .append(let new, let path): try document.append(new, toArrayAt: path)
    case .replace(let path, let new): try document.replace(at: path, with: new)
    case .remove(let path): try document.remove(at: path)
    case .update(let new): try document.update(to: new)
    }
  }
}

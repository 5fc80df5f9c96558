@_exported public import Publishing

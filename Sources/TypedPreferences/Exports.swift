@_exported public import Manifests
@_exported public import Publishing

/// A namespace for publishers that combine others.
public enum Publishers {}

/// A name under which published code imports the client that initialises the SDK; everything in it is `GriverSimulator`'s.
@_exported public import GriverSimulator

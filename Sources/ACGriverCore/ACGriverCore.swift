/// A name under which published code imports the container's launcher; everything in it is `GriverSimulator`'s.
@_exported public import GriverSimulator

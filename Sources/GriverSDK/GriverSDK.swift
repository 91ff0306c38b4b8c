/// The other name under which published code imports the container; everything in it is `GriverSimulator`'s.
@_exported public import GriverSimulator

/// A name under which published code imports the container's screen and its events; everything in it is `GriverSimulator`'s.
@_exported public import GriverSimulator

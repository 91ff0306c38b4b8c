#if !Servers
    #error("this target is built with the trait Servers: scripts/swift build, or swift build --traits Servers")
#endif

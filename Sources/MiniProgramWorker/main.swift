import AppContainer
import Foundation

// One mini program in a process of its own; the container starts it and speaks to it over its standard input.
exit(MiniProgramWorker.run { Date.now.timeIntervalSince1970 * 1000 })

#pragma once
#include <JavaScriptCore/JavaScript.h>

// Exported by the library and declared in none of its public headers.
typedef bool (*JSShouldTerminateCallback)(JSContextRef context, void *data);
void JSContextGroupSetExecutionTimeLimit(JSContextGroupRef group, double seconds, JSShouldTerminateCallback callback, void *data);
void JSGlobalContextSetEvalEnabled(JSGlobalContextRef context, bool enabled, JSStringRef message);
void JSGlobalContextSetUnhandledRejectionCallback(JSGlobalContextRef context, JSObjectRef function, JSValueRef *exception);

// Of the library's other interface: sets an option of the engine, before its first virtual machine.
int jsc_options_set_boolean(const char *option, int value);

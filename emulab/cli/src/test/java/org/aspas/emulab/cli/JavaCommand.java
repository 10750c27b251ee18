package org.aspas.emulab.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line as a process of its own, with the classes of the tests and few options of the launcher. */
final class JavaCommand {
    private JavaCommand() {}

    /**
     * What starts it.
     *
     * @param jvm options of the JVM
     * @param arguments the command and its options
     */
    static List<String> of(List<String> jvm, List<String> arguments) {
        return of(Aspas.class, jvm, arguments);
    }

    /** What starts another program in the same way. */
    static List<String> of(Class<?> main, List<String> jvm, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Newer JDKs warn on the standard error about what native libraries do; older ones do not know the second
        // option.
        command.addAll(List.of(
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(jvm);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }
}

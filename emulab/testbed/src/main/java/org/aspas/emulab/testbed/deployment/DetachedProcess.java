package org.aspas.emulab.testbed.deployment;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts a node so that it goes on when the program and the terminal that started it have ended. */
public final class DetachedProcess {
    private DetachedProcess() {}

    /**
     * Starts a process without standard input.
     *
     * @param environment added to this process's own
     * @param output where standard output and standard error are appended
     */
    public static ProcessHandle start(List<String> command, Map<String, String> environment, Path output)
            throws IOException {
        List<String> detached = new ArrayList<>();
        // A session of its own gets no signal of this terminal; the process keeps its number.
        detached.add(isOnPath("setsid") ? "setsid" : "nohup");
        detached.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(detached)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().putAll(environment);
        return builder.start().toHandle();
    }

    private static boolean isOnPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        for (String folder : path.split(File.pathSeparator, -1)) {
            if (Files.isExecutable(Path.of(folder).resolve(program))) {
                return true;
            }
        }
        return false;
    }
}

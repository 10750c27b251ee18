package org.aspas.emulab.testbed.deployment;

import java.io.IOException;

/** Signals to processes of this machine, by the system's {@code kill}. */
public final class ProcessSignal {
    private ProcessSignal() {}

    /**
     * Sends one, and waits until it is sent.
     *
     * @param signal its name without SIG: STOP or CONT
     * @throws IOException when {@code kill} refuses it and the process is still there
     */
    public static void send(ProcessHandle process, String signal) throws IOException, InterruptedException {
        ProcessBuilder kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()));
        kill.environment().put("LC_ALL", "C"); // In a Turkish locale procps does not find CONT among its names.
        int exit = kill.start().waitFor();
        if (exit != 0 && process.isAlive()) {
            throw new IOException("kill -" + signal + " ends with " + exit);
        }
    }
}

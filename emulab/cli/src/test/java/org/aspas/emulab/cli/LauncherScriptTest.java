package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What {@code ./aspas} does before it looks for Java, whatever it was started with. */
class LauncherScriptTest {
    private static String run(String locale, String more, String redirections) throws Exception {
        String script = Files.readString(Path.of("../../aspas"));
        String begin = script.substring(0, script.indexOf("self=${BASH_SOURCE[0]}"));
        ProcessBuilder builder =
                new ProcessBuilder("bash", "-c", "bash -c \"$1\" aspas " + redirections, "bash", begin + more);
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
        builder.environment().put("LC_ALL", locale);
        Process bash = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        bash.getOutputStream().close();
        String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return out.strip();
    }

    @Test
    void javaGetsALocaleOfUtf8() throws Exception {
        for (String locale : new String[] {"C", "POSIX", "no_WHERE.UTF-8", "en_US.ISO-8859-1", ""}) {
            assertThat(run(locale, "locale charmap", ""))
                    .as("LC_ALL=%s", locale)
                    .isEqualTo("UTF-8");
        }
        assertThat(run("C.UTF-8", "echo $LC_CTYPE", "")).isEqualTo("C.UTF-8");
        assertThat(run("tr_TR.UTF-8", "cat /nowhere 2>&1", ""))
                .as("the system's words are English")
                .endsWith("No such file or directory");
    }

    @Test
    void aClosedDescriptorIsNoFileOfJava() throws Exception {
        assertThat(run("C.UTF-8", "wc -c <&0", "<&-")).isEqualTo("0");
        assertThat(run("C.UTF-8", "readlink /proc/$$/fd/1 >&3", "3>&1 >&-")).isEqualTo("/dev/null");
        assertThat(run("C.UTF-8", "readlink /proc/$$/fd/2", "2>&-")).isEqualTo("/dev/null");
        assertThat(run("C.UTF-8", "readlink /proc/$$/fd/1 >&3", "3>&1 > /dev/full"))
                .isEqualTo("/dev/full");
    }
}

package org.aspas.emulab.cli;

import java.nio.file.Path;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import picocli.CommandLine.Option;

/** Which deployment a command is about. */
final class DeploymentOption {
    @Option(
            names = "--dir",
            defaultValue = "${env:ASPAS_DIR:-.}",
            paramLabel = "DIR",
            description = "The deployment's directory (default: $ASPAS_DIR, else the current one).")
    private Path directory = Path.of(".");

    DeploymentDirectory directory() {
        return new DeploymentDirectory(directory);
    }
}

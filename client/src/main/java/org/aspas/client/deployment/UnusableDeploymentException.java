package org.aspas.client.deployment;

import java.io.IOException;

/** Thrown when a file of a deployment is missing or invalid. The message is one line that names the file. */
public final class UnusableDeploymentException extends IOException {
    private static final long serialVersionUID = 1L;

    UnusableDeploymentException(String message) {
        super(message);
    }
}

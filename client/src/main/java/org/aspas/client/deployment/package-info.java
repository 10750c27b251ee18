/**
 * The files of a deployment that a client reads: the signed descriptor, the operator's public key, the client's own key, and the
 * authorities that it trusts for TLS ({@link org.aspas.client.deployment.DeploymentFolder}). A client needs {@code deployment.json},
 * {@code deployment.json.sig} and {@code operator.pub}, and in a deployment with TLS also {@code tls-ca.pem}. It never reads a server's
 * private key.
 *
 * <p>{@link org.aspas.client.deployment.Folders} is the port to the disk. Tests replace it with one that discards unforced writes.
 */
@NullMarked
package org.aspas.client.deployment;

import org.jspecify.annotations.NullMarked;

/**
 * What a client reads of a deployment on disk: the signed descriptor, the operator's public key, its own key, and whom it trusts in
 * TLS ({@link org.aspas.client.deployment.DeploymentFolder}). A client needs {@code deployment.json}, {@code deployment.json.sig} and
 * {@code operator.pub}, and in a deployment with TLS {@code tls-ca.pem}. No private key of a server is read.
 *
 * <p>{@link org.aspas.client.deployment.Folders} is the port to the disk, so that tests can take away what was not forced.
 */
@NullMarked
package org.aspas.client.deployment;

import org.jspecify.annotations.NullMarked;

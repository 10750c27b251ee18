package org.aspas.appserver.http;

import org.aspas.certify.identity.Descriptor;

/**
 * Which server answers.
 *
 * @param descriptor the deployment
 * @param index which appserver of it this is
 * @param version the software's version, for people
 */
public record ServerIdentity(Descriptor descriptor, int index, String version) {}

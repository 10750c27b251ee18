package org.aspas.emulab.console.http;

/**
 * Why a request is not answered (RFC 9457).
 *
 * @param status of HTTP
 * @param name in its type, {@code urn:aspas:problem:NAME}
 * @param detail one sentence for people
 */
record ConsoleProblem(int status, String name, String detail) {}

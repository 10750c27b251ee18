package org.aspas.certify.journal;

/**
 * What a recovery cut off: one or several last groups that were not finished, so that nobody was told of them.
 *
 * @param file how people find the file; it keeps these bytes, and nobody reads them again
 * @param offset where they begin, in bytes
 * @param bytes how many there are, up to the last that is not zero; 0 when nothing was cut off
 */
public record TailCut(String file, long offset, long bytes) {}

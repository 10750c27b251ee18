/** An application of ASPAS: likes and comments. */
package com.example.likes;
